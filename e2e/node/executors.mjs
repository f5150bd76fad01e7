// The named fixture executors: what each answers, the same in every language. Knows nothing of the package.

class FixtureError extends Error {
  name = "FixtureError";
}

class UnauthorizedError extends Error {
  name = "UnauthorizedError";
}

class AbortError extends Error {
  name = "AbortError";
}

/** Makes the functions of one client. `running` hears of every start and keeps what an executor handed out. */
export function makeExecutors(running) {
  const counts = new Map();
  const executors = {
    echo: (args, { toolId }) => ({ tool: toolId, arguments: args }),
    echoAsync: async (args, call) => executors.echo(args, call),
    inspect: (args, { toolId, context }) => ({ tool: toolId, arguments: args, context }),
    caller: (_, { session, toolCallId }) => ({ session, toolCallId }),
    counter: (_, { toolId }) => {
      counts.set(toolId, (counts.get(toolId) ?? 0) + 1);
      return { count: counts.get(toolId) };
    },
    throw: () => {
      throw new FixtureError("the fixture failed on purpose");
    },
    unauthorized: async () => {
      throw new UnauthorizedError("the fixture wants credentials");
    },
    cancelled: async () => {
      throw new AbortError("the fixture gave up");
    },
    async *stream() {
      for (let part = 0; part < 3; part += 1) yield { part };
    },
    slow: (_, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new AbortError("the fixture was stopped")), {
          once: true,
        });
      }),
  };
  return (name) => {
    const execute = executors[name];
    return (args, call) => {
      const answer = execute(args, call);
      running.started?.();
      return keep(answer, running);
    };
  };
}

/** The named fixture sub-agents. */
export const forks = {
  echo: ({ skillId, prompt, allowedTools, model, effort }) =>
    `${skillId}: ${prompt} [${allowedTools.join(" ")}] ${model ?? "-"} ${effort ?? "-"}`,
  throw: () => {
    throw new FixtureError("the fixture failed on purpose");
  },
};

/** The named fixture rankings: one puts what comes last first, the others fail. */
export const rankings = {
  turned: (_query, hits) => hits.map((_, place) => place),
  few: () => [1],
  throw: () => {
    throw new FixtureError("the fixture failed on purpose");
  },
};

/** Notes the very value that the package gets, so that its identity can be checked. */
function keep(answer, running) {
  if (answer instanceof Promise) return answer.then((value) => keep(value, running));
  running.handedOut.add(answer);
  return answer;
}
