import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, FileRequest } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { given } from '../../shared/answer.ts';
import { callMax } from './api.ts';
import type { Settings } from './settings.ts';
import { wantedUpdates } from './update.ts';

/** Only checks the token. No other data of a bot are needed. */
export async function learn(settings: Settings, client: Client): Promise<object> {
  given(await callMax(client, settings, { method: 'GET', path: 'me' }), 'Max');
  return {};
}

/** Gives Max the address for updates, or changes it. Max accepts https on port 443 only. */
export async function setup(settings: Settings, url: string, client: Client): Promise<object> {
  const body = { url, update_types: wantedUpdates, secret: settings.secret };
  given(await callMax(client, settings, { method: 'POST', path: 'subscriptions', body }), 'Max');
  return {};
}

const Video = Type.Object({ urls: Type.Record(Type.String(), Type.Unknown()) });

/** From the best to the smallest. */
const sizes = ['mp4_1080', 'mp4_720', 'mp4_480', 'mp4_360', 'mp4_240', 'mp4_144'];

/** A video is named by its token, and has an address for each size. */
export async function locateFile(
  reference: string,
  settings: Settings,
  client: Client,
): Promise<FileRequest> {
  const path = `videos/${encodeURIComponent(reference)}`;
  const video = given(await callMax(client, settings, { method: 'GET', path }), 'Max');
  if (!Value.Check(Video, video)) throw new ForPeople('Max named no address of the video.');
  const url = sizes.map((size) => video.urls[size]).find((address) => typeof address === 'string');
  if (url === undefined) throw new ForPeople('Max named no address of the video.');
  return { url };
}
