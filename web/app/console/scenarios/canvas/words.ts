import { isObject } from '../source.ts';
import type { Card, Raw, Way } from './graph.ts';
import type { CanvasTexts } from './texts.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a card shows of its step: the words that the client will see, or what is done. */
export function wordsOf({ kind, step }: Card, t: CanvasTexts): string {
  switch (kind) {
    case 'message':
      return [mediaOf(step, t), textOf(step.text)].filter(Boolean).join('\n') || t.emptyWords;
    case 'ask':
      return textOf(step.text) || t.emptyWords;
    case 'branch':
      return '';
    case 'set':
      return changesOf(step) || t.emptySet;
    case 'wait':
      return waitOf(step, t);
    case 'request':
      return `${textOf(step.method) || 'GET'} ${textOf(step.url)}`;
    case 'promocode':
      return `${textOf(step.group)} → {{${textOf(step.variable)}}}`;
    case 'operator':
      return [textOf(step.text), textOf(step.title), textOf(step.team)].filter(Boolean).join('\n');
    case 'goto':
      return step.scenario === undefined ? '' : t.scenarioNamed(textOf(step.scenario));
    case 'end':
      return '';
    case null:
      return t.unknownKind(textOf(step.type));
  }
}

const lastOf = (address: string): string => address.split('/').at(-1) || address;

function mediaOf(step: Raw, t: CanvasTexts): string {
  if (typeof step.image === 'string') return t.image(lastOf(step.image));
  return typeof step.document === 'string' ? t.document(lastOf(step.document)) : '';
}

function changesOf(step: Raw): string {
  const values = [step.variables, step.attributes].flatMap((one) =>
    isObject(one) ? Object.entries(one) : [],
  );
  const tags = (value: unknown, sign: string) =>
    Array.isArray(value) ? value.map((tag: unknown) => `${sign}${String(tag)}`) : [];
  return [
    ...values.map(([name, value]) => (value === null ? `${name} = –` : `${name} = ${textOf(value)}`)),
    ...tags(step.add_tags, '+'),
    ...tags(step.remove_tags, '−'),
  ].join('\n');
}

function waitOf(step: Raw, t: CanvasTexts): string {
  if (isObject(step.for)) return durationOf(step.for, t);
  if (typeof step.at === 'string') return t.untilTime(step.at);
  return t.untilMoment(textOf(step.until));
}

const units = ['days', 'hours', 'minutes', 'seconds'] as const;

/** A duration in words: `1 day 2 hours`. */
export function durationOf(duration: Raw, t: CanvasTexts): string {
  const parts = units.flatMap((unit) => {
    const count = duration[unit];
    return typeof count === 'number' && count > 0 ? [t.lengths[unit](count)] : [];
  });
  return parts.join(' ') || t.noTime;
}

/** The name of a way out. */
export function wayWords(way: Way, step: Raw, t: CanvasTexts): string {
  switch (way.kind) {
    case 'button':
    case 'option':
      return way.words || t.emptyButton;
    case 'case':
      return conditionOf(way.when, t);
    case 'timeout':
      return isObject(step.timeout) && isObject(step.timeout.after)
        ? t.noAnswerFor(durationOf(step.timeout.after, t))
        : t.ways.timeout;
    case 'next':
      return t.nextOf[String(step.type)] ?? t.ways.next;
    case 'failed':
      return step.type === 'request' ? t.requestFailed : t.ways.failed;
    case 'empty':
    case 'step':
      return t.ways[way.kind];
  }
}

/** A condition in short: `city is Oslo, tag is vip`. */
export function conditionOf(when: unknown, t: CanvasTexts): string {
  if (!isObject(when)) return t.ways.case;
  const [join, items] = Object.entries(when)[0] ?? [];
  if ((join === 'all' || join === 'any') && Array.isArray(items)) {
    const parts = items.map((item: unknown) => conditionOf(item, t));
    return parts.length === 0 ? t.ways.case : parts.join(join === 'all' ? t.and : t.or);
  }
  if (typeof when.audience === 'string') return t.inAudience(when.audience);
  const { type: _, ...rest } = when;
  const [name = '', value] = Object.entries(rest)[0] ?? [];
  const [key = name, lookup = 'exact'] = name.split('__');
  if (lookup === 'isnull') return value === true ? t.isUnknown(key) : t.isKnown(key);
  const sign = t.signs[lookup] ?? lookup;
  return `${key} ${sign} ${Array.isArray(value) ? value.join(', ') : String(value)}`;
}
