import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { CheckedSettings, Messenger } from '../../../../src/people/console/channels/schema.ts';
import { useApi, useProjectId } from '../api.ts';
import type { Value } from './setting-field.tsx';

const pauseMs = 600;

type Settings = Readonly<Record<string, Value>>;

/** The state of the values that a provider can check, and the problems of single settings. */
export type Check = {
  /** `idle` until all values are entered. */
  state: 'idle' | 'asking' | 'accepted' | 'refused' | 'unasked';
  facts: CheckedSettings['facts'];
  refusal: string | null;
  problems: Readonly<Record<string, string>>;
};

/** Checks settings after a pause in typing. Entered values are kept in memory only, and forgotten at once. */
export function useCheck(messenger: Messenger, settings: Settings): Check {
  const { checked } = messenger;
  const isAsked = (name: string): boolean =>
    checked.includes(name) || (checked.length > 0 && !requiredIn(messenger, name));
  const asked = useAnswer(messenger.platform, pick(settings, isAsked));
  const shapes = useAnswer(
    messenger.platform,
    pick(settings, (name) => !isAsked(name)),
  );
  const problems = { ...problemsOf(asked.data), ...problemsOf(shapes.data) };
  const isComplete = checked.length > 0 && checked.every((name) => filled(settings[name]));
  const { facts = [], refusal = null } = asked.data ?? {};
  if (!isComplete) return { state: 'idle', facts: [], refusal: null, problems };
  return { state: stateOf(asked), facts, refusal, problems };
}

function stateOf({ data, isError, isSettled }: ReturnType<typeof useAnswer>): Check['state'] {
  if (isError) return 'unasked';
  if (!isSettled || !data) return 'asking';
  if (data.is_accepted) return 'accepted';
  return data.refusal === null ? 'idle' : 'refused';
}

function useAnswer(platform: string, settings: Settings) {
  const api = useApi();
  const project = useProjectId();
  const key = JSON.stringify(settings);
  const [settled] = useDebouncedValue(key, pauseMs);
  const { data, isError } = useQuery({
    queryKey: [project, 'settings-check', platform, settled],
    queryFn: () =>
      api.post<CheckedSettings>('messengers/check/', { platform, settings: JSON.parse(settled) }),
    enabled: settled !== '{}',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return { data: settled === '{}' ? undefined : data, isError, isSettled: settled === key };
}

const filled = (value: Value | undefined): boolean => value !== undefined && value !== '';

const requiredIn = ({ settings }: Messenger, name: string): boolean =>
  settings.some((setting) => setting.name === name && setting.required);

const pick = (settings: Settings, isWanted: (name: string) => boolean): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([name, value]) => isWanted(name) && filled(value)));

const problemsOf = (answer: CheckedSettings | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(answer?.problems ?? {}).map(([name, found]) => [name, found.join(' ')]));
