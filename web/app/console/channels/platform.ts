/** A messenger's name, as people write it. */
export const platformName = (platform: string): string => platform.replaceAll('_', ' ');
