import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Type from 'typebox';
import { Compile } from 'typebox/compile';

/** A span as OTLP/HTTP carries it in JSON. */
export type CollectedSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  service: unknown;
  isError: boolean;
  attributes: Record<string, unknown>;
};

const Attributes = Type.Array(
  Type.Object({ key: Type.String(), value: Type.Record(Type.String(), Type.Unknown()) }),
);
const Export = Compile(
  Type.Object({
    resourceSpans: Type.Array(
      Type.Object({
        resource: Type.Object({ attributes: Attributes }),
        scopeSpans: Type.Array(
          Type.Object({
            spans: Type.Array(
              Type.Object({
                name: Type.String(),
                traceId: Type.String(),
                spanId: Type.String(),
                parentSpanId: Type.Optional(Type.String()),
                attributes: Attributes,
                status: Type.Object({ code: Type.Integer() }),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
);

const errorCode = 2;
/** Spans are exported every second. */
const patienceMs = 30_000;

export type Collector = {
  endpoint: string;
  spans: CollectedSpan[];
  /** The bodies and headers of all exports, as received. */
  received: string;
  exports: number;
  /** Default: 200 `{}`. */
  behave(behaviour: (response: ServerResponse) => void): void;
  /** Resolves with the first span like this. */
  found(isLikeThis: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  /** Resolves with the trace of this message when it has this many spans. */
  traceOf(messageId: string, spans: number): Promise<CollectedSpan[]>;
};

const valuesOf = (attributes: { key: string; value: Record<string, unknown> }[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

function spansIn(text: string): CollectedSpan[] {
  return Export.Parse(JSON.parse(text)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, attributes, status }) => ({
        name,
        traceId,
        spanId,
        parentSpanId,
        service: valuesOf(resource.attributes)['service.name'],
        isError: status.code === errorCode,
        attributes: valuesOf(attributes),
      })),
    ),
  );
}

/** A collector of OpenTelemetry that takes traces over HTTP. */
export async function startCollector(lifetime: {
  after(cleanUp: () => Promise<void>): void;
}): Promise<Collector> {
  let behaviour = (response: ServerResponse): void => void response.writeHead(200).end('{}');
  let waiting: (() => void)[] = [];
  const nextExport = () => new Promise<void>((resolve) => waiting.push(resolve));
  /** What some export brings. Fails when none does. */
  async function awaited<Result>(look: () => Result | undefined): Promise<Result> {
    const deadline = Promise.withResolvers<never>();
    const timer = setTimeout(() => deadline.reject(new Error('No export brought the span.')), patienceMs);
    try {
      for (;;) {
        const result = look();
        if (result !== undefined) return result;
        await Promise.race([nextExport(), deadline.promise]);
      }
    } finally {
      clearTimeout(timer);
    }
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    collector.exports += 1;
    collector.received += `${request.url} ${JSON.stringify(request.headers)} ${text}\n`;
    collector.spans.push(...spansIn(text));
    behaviour(response);
    const told = waiting;
    waiting = [];
    for (const tell of told) tell();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  lifetime.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const collector: Collector = {
    endpoint: `http://127.0.0.1:${port}`,
    spans: [],
    received: '',
    exports: 0,
    behave: (next) => {
      behaviour = next;
    },
    found: (isLikeThis) => awaited(() => collector.spans.find(isLikeThis)),
    async traceOf(messageId, count) {
      const isOfMessage = ({ attributes }: CollectedSpan) => attributes['patchbay.message.id'] === messageId;
      const { traceId } = await collector.found(isOfMessage);
      return awaited(() => {
        const trace = collector.spans.filter((span) => span.traceId === traceId);
        return trace.length >= count ? trace : undefined;
      });
    },
  };
  return collector;
}
