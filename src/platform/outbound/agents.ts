/** An agent has connections of its own, and the certificates that it trusts: half a megabyte. */
type Agent = { close(): Promise<void>; destroy(): Promise<void> };

export type Agents<Kind extends Agent> = {
  /** The agent that also trusts these certificates. Connections of one trust are of no use to another. */
  of(ca: string): Kind;
  destroy(): Promise<void>;
};

/** Enough for the certificates of channels. Somebody who tries out settings may name any number. */
const mostAgents = 20;

/** Of too many agents, the one that was made first lets its calls end. */
export function createAgents<Kind extends Agent>(make: (ca: string) => Kind): Agents<Kind> {
  const usual = make('');
  const agents = new Map<string, Kind>();
  return {
    of(ca) {
      const known = ca === '' ? usual : agents.get(ca);
      if (known) return known;
      const [eldest] = agents;
      if (eldest && agents.size >= mostAgents) {
        agents.delete(eldest[0]);
        void eldest[1].close();
      }
      const agent = make(ca);
      agents.set(ca, agent);
      return agent;
    },
    destroy: async () => {
      await Promise.all([usual, ...agents.values()].map((agent) => agent.destroy()));
    },
  };
}
