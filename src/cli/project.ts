import { type Command, Option } from 'commander';
import { listing, reporting } from './report.ts';

export function addProjectCommands(program: Command): void {
  const project = program
    .command('project')
    .description('projects: each has its own clients, channels and keys');
  addCreate(project);
  addList(project);
  addSet(project);
  addWebhook(project);
  addScenarios(project);
}

function addCreate(project: Command): void {
  project
    .command('create <name>')
    .description('create a project with its first bot key')
    .action(
      reporting(async (tools, name: string) => {
        const { createProject } = await import('../access/projects/projects.ts');
        const created = await createProject(tools, { name });
        return {
          json: { uuid: created.id, name: created.name, bot_key: created.botKey },
          text: listing(`Project "${created.name}" is created. Save the key: it is shown only once.`, {
            uuid: created.id,
            'bot key': created.botKey,
          }),
        };
      }),
    );
}

function addList(project: Command): void {
  project
    .command('list')
    .description('list the projects, the oldest first')
    .action(
      reporting(async ({ sql }) => {
        const { listProjects } = await import('../access/projects/store.ts');
        const projects = await listProjects(sql);
        const lines = projects.map(
          ({ id, name, created_at }) => `${id}  ${created_at.toISOString()}  ${name}`,
        );
        return {
          json: { projects: projects.map(({ id, ...project }) => ({ uuid: id, ...project })) },
          text: lines.join('\n') || 'There are no projects. Create one with: patchbay project create <name>',
        };
      }),
    );
}

function addSet(project: Command): void {
  project
    .command('set')
    .description('change the settings of a project')
    .requiredOption('--project <uuid>', 'the project')
    .addOption(
      new Option(
        '--tracks-links <choice>',
        "whether links in mailings are replaced by the project's own",
      ).choices(switches),
    )
    .addOption(
      new Option(
        '--opens-sessions <choice>',
        "whether a client's message opens a session for operators",
      ).choices(switches),
    )
    .action(
      reporting(async (tools, options: { project: string; tracksLinks?: Switch; opensSessions?: Switch }) => {
        const { knownProject } = await import('./known.ts');
        const { setProject } = await import('../access/projects/store.ts');
        const { id } = await knownProject(tools, options.project);
        const settings = await setProject(tools.sql, id, {
          tracks_links: isOn(options.tracksLinks),
          open_session_on_message: isOn(options.opensSessions),
        });
        return {
          json: { uuid: id, ...settings },
          text: [
            `Links in new mailings are ${settings.tracks_links ? '' : 'not '}tracked.`,
            `A client's message opens ${settings.open_session_on_message ? 'a' : 'no'} session for operators.`,
          ].join('\n'),
        };
      }),
    );
}

function addWebhook(project: Command): void {
  project
    .command('webhook')
    .description("set the project's own webhook")
    .requiredOption('--project <uuid>', 'the project')
    .requiredOption('--url <url>', 'the address that receives the events')
    .requiredOption('--kinds <kinds>', 'MAILING_STATE, MAILING_REACTION or both, separated by a comma')
    .action(
      reporting(async (tools, options: { project: string; url: string; kinds: string }) => {
        const { knownProject } = await import('./known.ts');
        const { setProjectWebhook } = await import('../events/endpoints/project-webhook.ts');
        const { id } = await knownProject(tools, options.project);
        const kinds = options.kinds.split(',').map((kind) => kind.trim());
        const webhook = await setProjectWebhook(tools, { projectId: id, url: options.url, kinds });
        return {
          json: webhook,
          text: listing(`${webhook.kinds.join(' and ')} events are delivered to ${webhook.url}.`, {
            'signing secret': webhook.secret,
          }),
        };
      }),
    );
}

function addScenarios(project: Command): void {
  project
    .command('scenarios')
    .description('set which scenarios client messages start; an empty name removes one')
    .requiredOption('--project <uuid>', 'the project')
    .option('--welcome <scenario>', "the scenario that a client's first message starts")
    .option(
      '--keyword <word=scenario>',
      'the scenario that a message of this word starts; a * is any text; may be repeated',
      collect,
    )
    .action(
      reporting(async (tools, options: { project: string; welcome?: string; keyword?: string[] }) => {
        const { knownProject } = await import('./known.ts');
        const { readStarters, setStarters } = await import('../scenarios/starters.ts');
        const { id } = await knownProject(tools, options.project);
        const starters = await setStarters(tools, id, readStarters(options.welcome, options.keyword ?? []));
        const lines = starters.map(
          ({ keyword, scenario }) => `  ${keyword === '' ? 'first message' : `"${keyword}"`}  "${scenario}"`,
        );
        return {
          json: {
            welcome: starters.find(({ keyword }) => keyword === '')?.scenario ?? null,
            keywords: Object.fromEntries(
              starters
                .filter(({ keyword }) => keyword !== '')
                .map(({ keyword, scenario }) => [keyword, scenario]),
            ),
          },
          text: [
            lines.length > 0 ? 'Client messages start:' : 'Client messages start no scenario.',
            ...lines,
          ].join('\n'),
        };
      }),
    );
}

const switches = ['on', 'off'] as const;
type Switch = (typeof switches)[number];

const isOn = (choice: Switch | undefined): boolean | undefined =>
  choice === undefined ? undefined : choice === 'on';

const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];
