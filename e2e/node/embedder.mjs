// The fixture embedder, as its file defines it: how many words of each direction a text has, and a rest. Knows nothing of
// the package.

class FixtureError extends Error {
  name = "FixtureError";
}

/** An embedder made from the fixture. */
export function makeEmbedder({ directions, rest, failures, ...about }) {
  const fails = (text, how) =>
    Object.keys(failures).some((word) => failures[word] === how && text.includes(word));
  return {
    ...about,
    async embed(texts) {
      if (texts.some((text) => fails(text, "throw"))) throw new FixtureError("the fixture cannot embed this");
      if (texts.some((text) => fails(text, "hang"))) return new Promise(() => {});
      if (texts.some((text) => fails(text, "few"))) return [];
      return texts.map((text) => {
        if (fails(text, "dimensions")) return [1];
        if (fails(text, "zeros")) return new Float32Array(about.dimensions);
        const lower = text.toLowerCase();
        const counts = directions.map((words) => words.filter((word) => lower.includes(word)).length);
        return [...counts, rest];
      });
    },
  };
}
