import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type Channel, openChannel } from '../../channels/connected/channels.ts';
import { noteCall } from '../../channels/connected/store.ts';
import type { Route } from '../../channels/contract/adapter.ts';
import type { Answer } from '../../channels/contract/inbound.ts';
import type { Context } from '../../platform/context.ts';
import { openAction } from '../../platform/http/action.ts';
import { defaultBodyLimit } from '../../platform/http/body.ts';
import { strangerAddress } from '../../platform/http/caller-address.ts';
import { credentials, Forbidden, HttpProblem } from '../../platform/http/errors.ts';
import { RawBytes, Uuid } from '../../platform/http/fields.ts';
import { createPlaces } from '../../platform/places.ts';
import { NotFound, Refused } from '../../platform/problem.ts';
import { receiveEvents } from '../chats/receive.ts';
import type { Receiving } from '../chats/receiving.ts';
import { answerPresses } from './answer-presses.ts';
import { routesAt } from './find-route.ts';
import type { Guesses } from './guesses.ts';
import { inboundRequest } from './request.ts';

type Params = { uuid: string; first?: string; second?: string };

type Receiver = { channel: Channel; routes: readonly Route<Channel['settings']>[] };

/** The channel and its adapter's receiver. A paused channel still receives. */
const receiverLoader =
  (receiving: Receiving) =>
  async ({ vault }: Context, _: unknown, { uuid, first, second }: Params): Promise<Receiver | undefined> => {
    const row = await receiving.channel(uuid);
    if (!row) return undefined;
    const channel = openChannel(row, vault);
    const segments = [first, second].filter((segment) => segment !== undefined);
    const routes = routesAt(channel, segments);
    return routes.length === 0 ? undefined : { channel, routes };
  };

const guesserOf = (
  { config }: Pick<Context, 'config'>,
  { channel }: Pick<Receiver, 'channel'>,
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

function routeFor({ routes }: Receiver, method: string): Route<Channel['settings']> {
  const route = routes.find((candidate) => candidate.method === method);
  if (route) return route;
  const allow = routes.map((candidate) => candidate.method).join(', ');
  throw new HttpProblem(405, `Method "${method}" not allowed.`, { allow });
}

const queryOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');

/** Byte for byte: some providers compare the whole response. */
const give = (reply: FastifyReply, { status = 200, body }: Answer): FastifyReply =>
  typeof body === 'string'
    ? reply.code(status).type('text/plain; charset=utf-8').send(body)
    : reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));

/**
 * GET and POST `/channels/{uuid}/…`: the address for providers. 403 when the adapter's check of authenticity fails,
 * and 429 after many failures. The response follows the storage of the events, so that a provider repeats unstored
 * ones.
 */
export const receiveFromProvider = (guesses: Guesses, receiving: Receiving, answering = createPlaces()) =>
  openAction({
    params: Type.Object({
      uuid: Uuid,
      first: Type.Optional(Type.String()),
      second: Type.Optional(Type.String()),
    }),
    body: RawBytes,
    bodyLimit: defaultBodyLimit,
    response: Type.Unsafe<object>({}),
    load: receiverLoader(receiving),
    owner: ({ channel }) => `messengers of ${channel.projectId}`,
    reserve: async ({ context, loaded, request }) => {
      routeFor(loaded, request.method);
      guesses.admit(context, guesserOf(context, loaded, request));
    },
    handle: async ({ context, body, loaded, request, reply }) => {
      const { channel } = loaded;
      const route = routeFor(loaded, request.method);
      const verdict = route.receive(
        inboundRequest(request.headers, body, queryOf(request)),
        channel.settings,
      );
      if (!verdict.accepted && verdict.status === 403) {
        await guesses.wrong(context, guesserOf(context, loaded, request));
      }
      if (!verdict.accepted) return refuse(verdict.status);
      if (!channel.isCalled) await noteCall(context.sql, channel, context.clock.now());
      // The provider repeats them. By then the channel is finished or deleted.
      if (channel.state === 'unfinished' && verdict.events.length > 0) {
        throw new HttpProblem(503, 'The channel is being added.');
      }
      const stored = await receiveEvents(context, channel, verdict.events, receiving);
      answerPresses(context, channel, verdict.events, answering);
      return give(reply, verdict.answer?.(stored) ?? { body: {} });
    },
  });
