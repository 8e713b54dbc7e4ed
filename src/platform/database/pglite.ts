import { PGlite } from '@electric-sql/pglite';

/** With this status PostgreSQL's own way back after an error leaves the runtime. Source: PGlite 0.5.16, src/pglite.ts. */
const errorJumpStatus = 100;

/**
 * A PGlite that ends where PostgreSQL ends. PGlite 0.5.16 catches whatever its runtime throws, and goes on with a runtime
 * that has aborted: after a PANIC it waits for ever for a lock of its own, or acknowledges a commit that it never wrote.
 */
export class MortalPGlite extends PGlite {
  /** `die` is called in the midst of a call of PostgreSQL, and must not return. */
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
