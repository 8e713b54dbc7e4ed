import { Badge } from '@mantine/core';
import type { StockedGroup } from '../../../../src/people/console/promocodes/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { promocodeTexts } from './texts.ts';

export type Stock = 'enough' | 'low' | 'out';

/** A stock below this number, or below this share of issued codes, is low. */
const few = 10;
const fewOfIssued = 0.05;

export function stockOf({ available, issued }: StockedGroup): Stock {
  if (available === 0) return 'out';
  return available < Math.max(few, issued * fewOfIssued) ? 'low' : 'enough';
}

const colors = { enough: 'teal', low: 'yellow', out: 'red' } as const;

export function StockBadge({ group }: { group: StockedGroup }) {
  const t = useTexts(promocodeTexts);
  const stock = stockOf(group);
  return (
    <Badge color={colors[stock]} variant="filled" tt="none">
      {t[stock]}
    </Badge>
  );
}
