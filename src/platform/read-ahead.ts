/** A sequence that several readers take parts of, one after another. */
export type ReadAhead<Part> = {
  /** The next parts of this kind. The first of another kind is left for the next reader. */
  takeWhile<Kind extends Part>(isKind: (part: Part) => part is Kind): AsyncGenerator<Kind>;
};

/** The source reads the next part while a reader works on one. */
export function readAhead<Part>(source: AsyncIterable<Part>): ReadAhead<Part> {
  const iterator = source[Symbol.asyncIterator]();
  let ahead: Promise<IteratorResult<Part>> | undefined;
  return {
    async *takeWhile(isKind) {
      for (;;) {
        ahead ??= iterator.next();
        const next = await ahead;
        if (next.done || !isKind(next.value)) return;
        ahead = iterator.next();
        // The reader of the next part hears of it.
        ahead.catch(() => {});
        yield next.value;
      }
    },
  };
}
