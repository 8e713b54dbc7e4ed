/** How many mailings are compared at once. A wider table is not read. */
export const leastCompared = 2;
export const mostCompared = 6;
