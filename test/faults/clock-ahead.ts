/**
 * Imported into a program before anything else. Puts its clock CLOCK_AHEAD_MS milliseconds ahead of the true time, or
 * behind it if negative. SIGUSR2 sets the clock ahead by an hour, and the next one sets it back.
 */
let ahead = Number(process.env.CLOCK_AHEAD_MS);
const RealDate = Date;
const now = (): number => RealDate.now() + ahead;

const hour = 3_600_000;
process.on('SIGUSR2', () => {
  ahead += ahead < hour ? hour : -hour;
});

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parameters, newTarget) =>
    Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
