/** Whether a file has tests of any kind: quick, large, or with faults in real time. */
export const isTest = (file: string): boolean => /\.(test|full|faults)\.ts$/.test(file);
