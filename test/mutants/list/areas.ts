import type { Area } from '../mutation.ts';
import { backups } from './backups.ts';
import { channels } from './channels.ts';
import { chats } from './chats.ts';
import { consent } from './consent.ts';
import { events } from './events.ts';
import { mailings } from './mailings.ts';
import { people } from './people.ts';
import { planning } from './planning.ts';
import { profiles } from './profiles.ts';
import { promocodes } from './promocodes.ts';
import { retentions } from './retention.ts';
import { scenarios } from './scenarios.ts';
import { sending } from './sending.ts';
import { storage } from './storage.ts';
import { traces } from './traces.ts';

export const areas: readonly Area[] = [
  planning,
  mailings,
  consent,
  channels,
  chats,
  people,
  profiles,
  promocodes,
  events,
  scenarios,
  sending,
  storage,
  backups,
  retentions,
  traces,
];
