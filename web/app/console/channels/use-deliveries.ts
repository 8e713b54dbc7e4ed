import { useQuery } from '@tanstack/react-query';
import type { Deliveries } from '../../../../src/people/console/channels/schema.ts';
import { useApi, useProjectId } from '../api.ts';

/** The results of a channel's messages in the last 24 hours. */
export function useDeliveries(uuid: string) {
  const api = useApi();
  const projectId = useProjectId();
  return useQuery({
    queryKey: [projectId, 'channels', uuid, 'deliveries'],
    queryFn: ({ signal }) => api.get<Deliveries>(`channels/${uuid}/deliveries/`, {}, signal),
    refetchInterval: 60_000,
  });
}

type Hours = Deliveries['hours'];

const sentOf = ({ sent, delivered, read }: Hours[number]): number => sent + delivered + read;
const failedOf = ({ undelivered, error }: Hours[number]): number => undelivered + error;
const sum = (hours: Hours, of: (hour: Hours[number]) => number): number =>
  hours.reduce((all, hour) => all + of(hour), 0);

export const totals = (hours: Hours) => ({ sent: sum(hours, sentOf), failed: sum(hours, failedOf) });

/** The hours in short, for a small chart: delivered or read, only sent, and failed. */
export const outcomes = (hours: Hours) =>
  hours.map((hour) => ({
    at: hour.at,
    received: hour.delivered + hour.read,
    sent: hour.sent,
    failed: failedOf(hour),
  }));

const minuteMs = 60_000;

/** The first whole minute from which on all messages are counted: shown times have no seconds. */
export const completeMinute = ({ complete_from }: Deliveries): string =>
  new Date(Math.ceil(Date.parse(complete_from) / minuteMs) * minuteMs).toISOString();
