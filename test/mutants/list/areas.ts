import type { Area } from '../mutation.ts';
import { planning } from './planning.ts';

export const areas: readonly Area[] = [planning];
