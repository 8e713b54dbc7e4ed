/**
 * Imported into a program before anything else. Puts its clock CLOCK_AHEAD_MS milliseconds ahead of the true time, or
 * behind it if negative.
 */
const ahead = Number(process.env.CLOCK_AHEAD_MS);
const RealDate = Date;
const now = (): number => RealDate.now() + ahead;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parameters, newTarget) =>
    Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
