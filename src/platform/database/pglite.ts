import { PGlite } from '@electric-sql/pglite';

/**
 * The status with which PostgreSQL's own recovery from an error leaves the runtime. Source: PGlite 0.5.16,
 * src/pglite.ts.
 */
const errorJumpStatus = 100;

/**
 * A PGlite that ends where PostgreSQL ends. PGlite 0.5.16 catches every error of its runtime and continues with an
 * aborted runtime. After a PANIC it waits forever for its own lock, or acknowledges a commit that it never wrote.
 */
export class MortalPGlite extends PGlite {
  /** `die` is called in the middle of a call of PostgreSQL, and must not return. */
  dieBy(die: (error: unknown) => never): void {
    const runtime = this.mod;
    if (!runtime) throw new Error('the runtime has not started');
    const serveMessage = runtime._PostgresMainLoopOnce;
    runtime._PostgresMainLoopOnce = () => {
      try {
        serveMessage();
      } catch (error) {
        if (!isErrorJump(error)) die(error);
        throw error;
      }
    };
  }
}

const isErrorJump = (error: unknown): boolean =>
  error instanceof Error || (typeof error === 'object' && error !== null)
    ? 'status' in error && error.status === errorJumpStatus
    : false;
