import { nameIn } from '../../../access/auth/email.ts';
import { insertFirstAdmin } from '../../../access/auth/operators-store.ts';
import type { Person } from '../../../access/auth/person.ts';
import { createProject } from '../../../access/projects/projects.ts';
import type { Config } from '../../../platform/config.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { HttpProblem } from '../../../platform/http/errors.ts';
import { Refused } from '../../../platform/problem.ts';
import { NewProject, ProjectCreate } from './schema.ts';

/** Each project has limits of its own. The command line makes any number. */
const mostProjects = 100;

export const mayMakeProjects = ({ projectsBy }: Config, { isOwner }: Person): boolean =>
  isOwner || projectsBy === 'anyone';

/**
 * POST /console/api/projects/: the creator of a project becomes its administrator. 403 for people who may not create
 * projects.
 */
export const createOwnProject = actionFor<Person>()({
  body: ProjectCreate,
  response: NewProject,
  status: 201,
  handle: async ({ context, principal, body: { name } }) => {
    const { sql, clock, newId, log, config } = context;
    const { userId, email, projects } = principal;
    if (!mayMakeProjects(config, principal)) {
      throw new HttpProblem(403, 'Only owners of this installation may create projects.');
    }
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
