/**
 * Imported into a program before anything else: the clock of its machine is CLOCK_AHEAD_MS milliseconds ahead of the
 * true time, or behind it where that is negative.
 */
const ahead = Number(process.env.CLOCK_AHEAD_MS);
const RealDate = Date;
const now = (): number => RealDate.now() + ahead;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parameters, newTarget) =>
    Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
