import type { Channel } from '../channels/connected/channels.ts';
import { accountOf, type Checked, checkEntered, givenValues } from '../channels/connected/check.ts';
import { isSecret, keyword } from '../channels/connected/settings.ts';
import type { Adapter } from '../channels/contract/adapter.ts';
import type { Field, Step } from '../channels/contract/guide.ts';
import { sketchText } from '../channels/contract/sketch-text.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import { randomToken } from '../platform/secrets/secret.ts';
import type { Person } from './ask-person.ts';

type Tools = { person: Person; outbound: Outbound };
type Settings = Record<string, string>;

/**
 * Asks for the settings of a new channel step by step, in the words of its guide. `given` are known already. Rare
 * steps are left out: an option of the command sets them.
 */
export async function askSettings(tools: Tools, adapter: Adapter, given: Settings): Promise<Settings> {
  const settings = { ...given };
  const steps = adapter.guide.before.filter(({ isRare }) => !isRare);
  for (const [index, step] of steps.entries()) {
    sayStep(tools.person, index + 1, step);
    const missing = (step.fields ?? []).filter(({ name }) => !(name in settings));
    for (const field of missing) await askField(tools, adapter, field, settings);
    if (missing.some(({ name }) => name === adapter.check?.needs.at(-1))) {
      await proveAll(tools, adapter, settings);
    }
  }
  const rare = adapter.guide.before.flatMap(({ isRare, fields = [] }) => (isRare ? fields : []));
  if (rare.length > 0) {
    tools.person.say(`Rarely needed: ${rare.map(({ name }) => `--set ${name}=…`).join(', ')}`);
  }
  return settings;
}

function sayStep(person: Person, number: number, { title, text, link, sketch }: Step): void {
  person.say(`\n${number}. ${title.en}\n   ${text.en}`);
  if (link) person.say(`   ${link}`);
  if (sketch) person.say(`   ${sketchText(sketch, 'en')}`);
}

/** Asks until the answer is well formed. An empty answer skips what is optional, and makes what can be made. */
async function askField(tools: Tools, adapter: Adapter, field: Field, settings: Settings): Promise<void> {
  const { person, outbound } = tools;
  const { name, canMake } = field;
  const isRequired = adapter.settings.required?.includes(name) ?? false;
  const isHidden = isSecret(adapter.settings, name);
  const question = questionOf(adapter, field, isRequired);
  for (;;) {
    const answer = await person.ask(question, isHidden ? 'secret' : 'open');
    if (answer === '' && !isRequired) return;
    const value = answer === '' && canMake ? randomToken() : answer;
    const { problems } =
      value === '' ? noAnswer(name) : await checkEntered({ outbound }, adapter, { [name]: value });
    const found = problems[name];
    if (found === undefined) {
      settings[name] = value;
      return;
    }
    person.say(`   ${Array.isArray(found) ? found.join(' ') : 'This value is not valid.'}`);
  }
}

const noAnswer = (name: string): Pick<Checked, 'problems'> => ({
  problems: { [name]: ['This field is required.'] },
});

function questionOf(
  { settings }: Adapter,
  { name, label, help, canMake }: Field,
  isRequired: boolean,
): string {
  const choices = keyword(settings, name, 'enum');
  const empty = canMake ? 'empty: a random one' : isRequired ? null : 'empty: none';
  const notes = [help?.en, Array.isArray(choices) ? choices.join(' or ') : null, empty].filter(Boolean);
  return `   ${label.en}${notes.length > 0 ? ` (${notes.join(' ')})` : ''}`;
}

/** Asks the provider, and asks again for everything that it has refused. */
async function proveAll(tools: Tools, adapter: Adapter, settings: Settings): Promise<void> {
  const { person, outbound } = tools;
  const fields = adapter.guide.before.flatMap(({ fields: ofStep = [] }) => ofStep);
  for (;;) {
    const { account, refusal } = await checkEntered({ outbound }, adapter, settings);
    for (const { label, value } of account?.facts ?? []) person.say(`   ${label.en}: ${value}`);
    if (refusal === null) return;
    person.say(`   ${refusal}`);
    for (const field of fields.filter(({ name }) => adapter.check?.needs.includes(name))) {
      delete settings[field.name];
      await askField(tools, adapter, field, settings);
    }
  }
}

/** What the provider still needs, and how to write to the channel. A made value is shown here, and never again. */
export async function sayFirstSteps(
  { person, outbound }: Tools,
  adapter: Adapter,
  channel: Pick<Channel, 'id' | 'settings'>,
  publicUrl: string,
): Promise<void> {
  const values: Record<string, unknown> = { ...channel.settings, ...givenValues(publicUrl, channel) };
  for (const [index, step] of adapter.guide.after.entries()) {
    sayStep(person, index + 1, step);
    for (const name of step.gives ?? []) {
      person.say(`   ${name}: ${values[name]}`);
    }
  }
  const { account } = await accountOf({ outbound }, adapter, channel);
  person.say(`\nWrite to yourself. ${adapter.guide.tryOut.en}${account?.link ? `\n   ${account.link}` : ''}`);
}
