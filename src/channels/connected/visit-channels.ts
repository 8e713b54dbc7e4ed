/** Providers that hang occupy this many visits for a while, not a whole round for hours. */
const visitsAtOnce = 16;

/** Visits all channels, several at a time. @throws the error of a visit, which ends the round */
export async function visitChannels<Channel>(
  channels: readonly Channel[],
  visit: (channel: Channel) => Promise<void>,
): Promise<void> {
  const waiting = channels.values();
  const visitor = async (): Promise<void> => {
    for (const channel of waiting) await visit(channel);
  };
  await Promise.all(Array.from({ length: visitsAtOnce }, visitor));
}
