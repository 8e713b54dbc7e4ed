import Type from 'typebox';
import type { Context } from '../../platform/context.ts';
import { type FieldMessages, Invalid } from '../../platform/problem.ts';
import type { Account, Adapter } from '../contract/adapter.ts';
import { wordsForPeople } from '../contract/failure.ts';
import { readableWords } from '../shared/answer.ts';
import { type Channel, channelAddress } from './channels.ts';
import { freshClient } from './client.ts';
import { addressesIn, isSecret, keyword, readSettings } from './settings.ts';

type Tools = Pick<Context, 'outbound'>;

export type Checked = {
  /** The problems of single settings. */
  problems: FieldMessages;
  /** Null if the provider was not asked, or refused. */
  account: Account | null;
  /** The provider's words. */
  refusal: string | null;
};

/**
 * Checks settings that a person is still entering, and stores nothing. The provider is asked once all settings that it
 * needs are well formed.
 */
export async function checkEntered(
  { outbound }: Tools,
  adapter: Adapter,
  given: Record<string, unknown>,
): Promise<Checked> {
  const { values, problems } = await readEach({ outbound }, adapter, given);
  const { check } = adapter;
  const isReady = check?.needs.every((name) => name in values) && Object.keys(problems).length === 0;
  if (!check || !isReady) return { problems, account: null, refusal: null };
  return { problems, ...(await askAccount({ outbound }, adapter, values)) };
}

/** The account of a channel. Its link may come from the settings alone. */
export async function accountOf(
  tools: Tools,
  adapter: Adapter,
  { settings }: Pick<Channel, 'settings'>,
): Promise<Omit<Checked, 'problems'>> {
  const link = adapter.linkOf?.(settings);
  if (link) return { account: { facts: [], link }, refusal: null };
  return adapter.check ? askAccount(tools, adapter, settings) : { account: null, refusal: null };
}

async function askAccount(
  { outbound }: Tools,
  adapter: Adapter,
  settings: Record<string, unknown>,
): Promise<Omit<Checked, 'problems'>> {
  try {
    const account = await adapter.check?.ask(settings, freshClient(adapter, settings, outbound));
    return { account: account ?? null, refusal: null };
  } catch (error) {
    return { account: null, refusal: withoutSecrets(adapter, settings, wordsForPeople(error)) };
  }
}

/** A provider may repeat what it was given. */
function withoutSecrets(
  { settings: schema }: Adapter,
  settings: Record<string, unknown>,
  text: string,
): string {
  const secrets = Object.entries(settings).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && isSecret(schema, name) ? [value] : [],
  );
  return readableWords(text, secrets);
}

/** Each setting alone: those that are missing are no problem yet. */
async function readEach(
  { outbound }: Tools,
  { settings: schema }: Adapter,
  given: Record<string, unknown>,
): Promise<{ values: Record<string, unknown>; problems: FieldMessages }> {
  const values = new Map<string, unknown>();
  const problems = new Map<string, FieldMessages[string]>();
  const entered = Object.entries(given).filter(([, value]) => value !== '' && value !== null);
  for (const [name, value] of entered) {
    try {
      const property = schema.properties[name];
      const alone = Type.Object(
        property && keyword(schema, name, 'learnt') !== true ? { [name]: property } : {},
      );
      const read = readSettings(alone, { [name]: value });
      for (const address of addressesIn(alone, read)) await outbound.check(address);
      values.set(name, read[name]);
    } catch (error) {
      const found = error instanceof Invalid ? error.fields[name] : undefined;
      problems.set(name, found ?? [wordsForPeople(error)]);
    }
  }
  return { values: Object.fromEntries(values), problems: Object.fromEntries(problems) };
}

/** The values that a person gives to the provider, by the names that a guide uses. */
export function givenValues(
  publicUrl: string,
  channel: Pick<Channel, 'id' | 'settings'>,
): { [name: string]: string } {
  return {
    address: channelAddress(publicUrl, channel),
    login_command: `patchbay channel login ${channel.id}`,
    script_tag: `<script src="${publicUrl}/widget.js" data-channel="${channel.id}" async></script>`,
  };
}
