/** The usual name of a messenger. */
export const platformName = (platform: string): string => platform.replaceAll('_', ' ');
