/** Other letters stay: which of them are one letter, no two programs agree on. */
export const smallAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
