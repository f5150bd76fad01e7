// The arguments of invoke_tool that a call of a listed tool amounts to. Knows nothing of what happens to them.

/** The arguments of invoke_tool. */
interface Envelope {
  readonly toolId: string;
  readonly args: unknown;
}

/** One envelope for one input: the framework hands the same object around, and what is known of it hangs on it. */
const envelopes = new WeakMap<object, Envelope>();

/** What the model said, by what it amounts to. */
const said = new WeakMap<object, { input: unknown }>();

/** The arguments of invoke_tool for this input of this tool. */
export function envelopeOf(toolId: string, input: unknown): Envelope {
  const isObject = typeof input === "object" && input !== null;
  const known = isObject ? envelopes.get(input) : undefined;
  if (known?.toolId === toolId) return known;
  const envelope = { toolId, args: input };
  said.set(envelope, { input });
  if (isObject) envelopes.set(input, envelope);
  return envelope;
}

/** The input as the model sent it: of a listed tool its own, else that of invoke_tool. */
export function saidInput(input: unknown): unknown {
  const known = typeof input === "object" && input !== null ? said.get(input) : undefined;
  return known ? known.input : input;
}
