import { Counter, Histogram, Registry } from 'prom-client';

/** The counts and durations that the parts of one process note. Prometheus reads them from `registry`. */
export type Metrics = {
  registry: Registry;
  /** Calls of messengers by their result: sent, retried, undelivered, error. */
  sends: Counter<'platform' | 'result'>;
  sendSeconds: Histogram<'platform'>;
  /** Calls of partners' webhooks by their result: delivered, retried, failed. */
  deliveries: Counter<'result'>;
  deliverySeconds: Histogram;
  /** The answers of the API. `route` is the pattern, not the address. */
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
};

const callBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    sends: new Counter({
      name: 'patchbay_sends_total',
      help: 'Calls of messengers, by result.',
      labelNames: ['platform', 'result'],
      registers,
    }),
    sendSeconds: new Histogram({
      name: 'patchbay_send_duration_seconds',
      help: 'The duration of calls of messengers.',
      labelNames: ['platform'],
      buckets: callBuckets,
      registers,
    }),
    deliveries: new Counter({
      name: 'patchbay_webhook_deliveries_total',
      help: 'Calls of webhooks, by result.',
      labelNames: ['result'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'patchbay_webhook_delivery_duration_seconds',
      help: 'The duration of calls of webhooks.',
      buckets: callBuckets,
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'patchbay_http_request_duration_seconds',
      help: 'The duration of requests, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: requestBuckets,
      registers,
    }),
  };
}
