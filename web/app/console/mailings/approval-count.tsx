import { useQuery } from '@tanstack/react-query';
import type { Approvals } from '../../../../src/people/console/mailings/schema.ts';
import { Count } from '../../shared/count.tsx';
import { counted, texts, useTexts } from '../../shared/language.tsx';
import { useApi, useProjectId } from '../api.ts';

const lookEveryMs = 30_000;

const approvalCount = texts(
  {
    waiting: (count: number) =>
      counted('en', count, {
        one: 'mailing waits for your approval',
        other: 'mailings wait for your approval',
      }),
  },
  {
    ru: {
      waiting: (count) =>
        counted('ru', count, {
          one: 'рассылка ждёт вашего одобрения',
          few: 'рассылки ждут вашего одобрения',
          many: 'рассылок ждут вашего одобрения',
          other: 'рассылки ждут вашего одобрения',
        }),
    },
  },
);

/** A badge with the number of mailings that wait for the reader's approval. None without such a mailing. */
export function ApprovalCount() {
  const t = useTexts(approvalCount);
  const api = useApi();
  const project = useProjectId();
  const { data } = useQuery({
    queryKey: [project, 'mailing', 'approvals'],
    queryFn: ({ signal }) => api.get<Approvals>('mailings/approvals/', {}, signal),
    refetchInterval: lookEveryMs,
  });
  return data && data.count > 0 ? <Count of={data.count} label={t.waiting(data.count)} /> : null;
}
