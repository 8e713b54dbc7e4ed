/** Other letters stay as they are: programs disagree on which of them are equal. */
export const smallAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
