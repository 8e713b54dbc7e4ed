import { nameIn } from '../../../access/auth/email.ts';
import { insertFirstAdmin } from '../../../access/auth/operators-store.ts';
import { type Person, requirePerson } from '../../../access/auth/person.ts';
import { createProject } from '../../../access/projects/projects.ts';
import type { Config } from '../../../platform/config.ts';
import type { Context } from '../../../platform/context.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { HttpProblem } from '../../../platform/http/errors.ts';
import type { Guard } from '../../../platform/http/guard.ts';
import { Refused } from '../../../platform/problem.ts';
import { NewProject, ProjectCreate } from './schema.ts';

/** Each project has limits of its own. The command line makes any number. */
const mostProjects = 100;

export const mayMakeProjects = ({ projectsBy }: Config, { isOwner }: Person): boolean =>
  isOwner || projectsBy === 'anyone';

/** Refuses people who may not create projects with 403. */
export function requireProjectMaker(context: Pick<Context, 'sql' | 'clock' | 'config'>): Guard<Person> {
  const person = requirePerson(context);
  return {
    cors: false,
    async admit(headers) {
      const caller = await person.admit(headers);
      if (mayMakeProjects(context.config, caller)) return caller;
      throw new HttpProblem(403, 'Only owners of this installation may create projects.');
    },
  };
}

/** POST /console/api/projects/: the creator of a project becomes its administrator. */
export const createOwnProject = actionFor<Person>()({
  body: ProjectCreate,
  response: NewProject,
  status: 201,
  handle: async ({ context, principal, body: { name } }) => {
    const { sql, clock, newId, log } = context;
    const { userId, email, projects } = principal;
    if (projects.length >= mostProjects) throw new Refused(`A person has at most ${mostProjects} projects.`);
    const admin = { userId, email, name: projects[0]?.name ?? nameIn(email), createdAt: clock.now() };
    // In one transaction: a project without an administrator could not be found.
    const { id, botKey } = await sql.begin(async (transaction) => {
      const project = await createProject({ sql: transaction, clock, newId }, { name });
      await insertFirstAdmin(transaction, { ...admin, projectId: project.id });
      return project;
    });
    log.info({ projectId: id, userId }, 'a project was made');
    return { uuid: id, bot_key: botKey };
  },
});
