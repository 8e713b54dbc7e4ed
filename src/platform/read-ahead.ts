/** A sequence that several readers take parts of, one after another. */
export type ReadAhead<Part> = {
  /** The next parts of this kind. The first of another kind is left for the next reader. */
  takeWhile<Kind extends Part>(isKind: (part: Part) => part is Kind): AsyncGenerator<Kind>;
};

export function readAhead<Part>(source: AsyncIterable<Part>): ReadAhead<Part> {
  const iterator = source[Symbol.asyncIterator]();
  let ahead: IteratorResult<Part> | undefined;
  return {
    async *takeWhile(isKind) {
      for (;;) {
        ahead ??= await iterator.next();
        if (ahead.done || !isKind(ahead.value)) return;
        const part = ahead.value;
        ahead = undefined;
        yield part;
      }
    },
  };
}
