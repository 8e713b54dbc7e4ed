/** A fault of one line, as somebody could write it. */
export type Mutation = {
  /** What is wrong with it, in words. */
  name: string;
  file: string;
  /** The text to replace. It stands in the file exactly once. */
  find: string;
  replace: string;
  /** The nearest tests: who works on the file runs these. */
  tests: readonly string[];
  /** On which database they run; on a server where this is absent. */
  on?: 'embedded';
  /** Why no test notices it, where that is accepted. */
  survives?: string;
};

/** A part of the program, and what may be wrong in it. */
export type Area = { name: string; mutations: readonly Mutation[] };
