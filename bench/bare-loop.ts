import { Agent } from 'undici';

/** Calls per second of a minimal loop: undici, `concurrency` concurrent calls, the same body and headers. */
export async function bareLoop(options: {
  url: string;
  calls: number;
  concurrency: number;
  headers: Record<string, string>;
  body: string;
}): Promise<number> {
  const { url, calls, concurrency, headers, body } = options;
  const { origin, pathname: path } = new URL(url);
  const agent = new Agent({ connections: concurrency });
  let begun = 0;
  const start = performance.now();
  const call = async (): Promise<void> => {
    while (begun++ < calls) {
      const answer = await agent.request({ origin, path, method: 'POST', headers, body });
      if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`);
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, call));
  const perSecond = calls / ((performance.now() - start) / 1000);
  await agent.close();
  return perSecond;
}
