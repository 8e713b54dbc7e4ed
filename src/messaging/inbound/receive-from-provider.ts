import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type Channel, loadChannel } from '../../channels/connected/channels.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { openAction } from '../../platform/http/action.ts';
import { strangerAddress } from '../../platform/http/caller-address.ts';
import { credentials, Forbidden } from '../../platform/http/errors.ts';
import { RawBytes, Uuid } from '../../platform/http/fields.ts';
import { NotFound, Refused } from '../../platform/problem.ts';
import { receiveEvents } from '../chats/receive.ts';
import type { Guesses } from './guesses.ts';
import { inboundRequest } from './request.ts';

type Params = { uuid: string; path?: string };

/** The channel and its adapter; a channel that nobody calls has no such address. A paused channel still hears. */
async function loadReceiver(context: Context, _: unknown, { uuid }: Params) {
  const channel = await loadChannel(context, uuid);
  if (!channel) return undefined;
  const receive = adapterFor(channel.platform)?.receive;
  return receive && { channel, receive };
}

const guesserOf = (
  { config }: Pick<Context, 'config'>,
  { channel }: { channel: Channel },
  request: FastifyRequest,
) => ({ channelId: channel.id, address: strangerAddress(request, config.trustedProxies) });

function refuse(status: 400 | 403 | 404): never {
  switch (status) {
    case 400:
      throw new Refused('The body is not what the provider of this channel sends.');
    case 403:
      throw new Forbidden(credentials.incorrect);
    case 404:
      throw new NotFound();
  }
}

/**
 * POST `/channels/{uuid}/` and `/channels/{uuid}/{path}/`: where providers reach us. 403 where the adapter's check of
 * authenticity fails, and 429 for who has failed often. The answer is given once the events are stored, so that a provider repeats what was not.
 */
export const receiveFromProvider = (guesses: Guesses) =>
  openAction({
    params: Type.Object({ uuid: Uuid, path: Type.Optional(Type.String()) }),
    body: RawBytes,
    response: Type.Unsafe<object>({}),
    load: loadReceiver,
    reserve: async ({ context, loaded, request }) =>
      guesses.admit(context, guesserOf(context, loaded, request)),
    handle: async ({ context, params, body, loaded: { channel, receive }, request }) => {
      const received = receive(inboundRequest(params.path ?? '', request.headers, body), channel.settings);
      if (!received.accepted && received.status === 403) {
        await guesses.wrong(context, guesserOf(context, { channel }, request));
      }
      if (!received.accepted) return refuse(received.status);
      const stored = await receiveEvents(context, channel, received.events);
      return received.answer?.(stored) ?? {};
    },
  });
