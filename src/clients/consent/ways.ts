/** How a client left: by the link in a mailing, by a word, by a button with such a word, or by a person of the team. */
export const ways = ['link', 'word', 'button', 'operator'] as const;

export type Way = (typeof ways)[number];
