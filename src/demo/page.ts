import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { loadChannel } from '../channels/connected/channels.ts';
import { presentMessageCreated } from '../messaging/chats/present.ts';
import { identityHash } from '../people/widget/rules.ts';
import { openAction } from '../platform/http/action.ts';
import { createAsset } from '../platform/http/asset.ts';
import { basePath, fillPage, sendPage } from '../platform/http/page.ts';
import { NotFound } from '../platform/problem.ts';
import { demoUser } from './content.ts';
import { curlForPage } from './describe-demo.ts';
import { findDemo, findLastAnswer } from './store.ts';

const web = join(import.meta.dirname, '..', '..', 'web');
const template = readFileSync(join(web, 'demo', 'index.html'), 'utf8');

/** The page where a demo's message arrives. It shows no key, because its visitor need not be its owner. */
export const demoPage = openAction({
  handle: async ({ context, reply }) => {
    const demo = await findDemo(context.sql);
    const channel = demo && (await loadChannel(context, demo.channel_id));
    if (!channel) throw new NotFound();
    const { publicUrl } = context.config;
    return sendPage(
      reply,
      fillPage(template, {
        base: basePath(publicUrl),
        channel: channel.id,
        user: demoUser,
        hash: identityHash(String(channel.settings.identity_secret), demoUser),
        curl: curlForPage(publicUrl),
      }),
    );
  },
});

/**
 * The event that a partner's webhook gets for the last message from the demo page. Source: docs/contract.md, section
 * 8.
 */
export const lastAnswer = openAction({
  response: Type.Object({ event_type: Type.String(), payload: Type.Unknown(), timestamp: Type.Integer() }),
  handle: async ({ context: { sql } }) => {
    const demo = await findDemo(sql);
    const answer = demo && (await findLastAnswer(sql, demo));
    if (!answer) throw new NotFound();
    return {
      event_type: 'message_created',
      payload: presentMessageCreated(answer),
      timestamp: answer.created_at.getTime(),
    };
  },
});

/** A file of our own pages. */
const file = (folder: string, name: string) => {
  const asset = createAsset(name, readFileSync(join(web, folder, name), 'utf8'));
  return openAction({
    handle: async ({ request, reply }) => asset.send(request, reply, { 'cache-control': 'no-cache' }),
  });
};

export const demoScript = file('demo', 'demo.js');
export const demoStyle = file('demo', 'demo.css');
export const siteStyle = file('site', 'site.css');
