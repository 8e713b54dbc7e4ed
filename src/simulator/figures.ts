/** What happened at one provider since the simulator started. */
export type Figures = {
  /** Messages that it accepted, and that it refused. */
  accepted: number;
  refused: number;
  /** Receipts that Patchbay got. */
  delivered: number;
  read: number;
  undelivered: number;
  /** First messages of the crowd, and its answers. */
  written: number;
  answered: number;
  /** Events that Patchbay did not accept. */
  failed: number;
};

export const noFigures = (): Figures => ({
  accepted: 0,
  refused: 0,
  delivered: 0,
  read: 0,
  undelivered: 0,
  written: 0,
  answered: 0,
  failed: 0,
});
