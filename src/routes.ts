import { getHeapStatistics } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import { codeWriter } from './clients/promocodes/write.ts';
import { startReceiving } from './messaging/chats/receiving.ts';
import { pushAcceptance } from './messaging/push-messages/accept.ts';
import { traced } from './messaging/push-messages/traced.ts';
import { startChatFeed } from './people/chat-center/feed.ts';
import { startLiveFeed } from './people/widget/feed.ts';
import type { Context } from './platform/context.ts';
import { holdAnswers } from './platform/http/held-answers.ts';
import { heldIn, holdBodies } from './platform/http/held-bodies.ts';
import { type KnownRoute, router } from './platform/http/router.ts';
import { createPlaces } from './platform/places.ts';
import { createTurns } from './platform/pump/turns.ts';
import { addChatCenterRoutes } from './routes/chat-center.ts';
import { addConsoleRoutes } from './routes/console.ts';
import { addPartnerRoutes } from './routes/partners.ts';
import { addPublicRoutes } from './routes/public.ts';

/**
 * Every route of the service, one page for each kind of caller. The trailing slash of a path may be omitted. Returns
 * the facts about them.
 */
export function addRoutes(server: FastifyInstance, context: Context): readonly KnownRoute[] {
  const { config, log } = context;
  const { trustedProxies } = config;
  const held = heldIn(getHeapStatistics().heap_size_limit);
  server.addHook('preParsing', holdBodies(createPlaces(), trustedProxies, held, log));
  server.addHook('onSend', holdAnswers(createPlaces(), trustedProxies, held));
  const route = router(server, context);
  const turns = createTurns();
  const batches = {
    turns,
    accept: traced(context, pushAcceptance(context, turns)),
    writeCode: codeWriter(context),
  };
  const feed = startLiveFeed(context);
  const chatFeed = startChatFeed(context);
  const uploads = createPlaces();
  // Live connections would delay the closing server.
  server.addHook('preClose', async () => {
    feed.stop();
    chatFeed.stop();
  });

  addPartnerRoutes(route, context, batches);
  addPublicRoutes(route, context, { feed, uploads, receiving: startReceiving(context, createTurns()) });
  addConsoleRoutes(route, context, { ...batches, uploads });
  addChatCenterRoutes(route, context, { chatFeed, uploads });
  return route.known;
}
