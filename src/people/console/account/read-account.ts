import { openForm } from '../../../access/auth/form.ts';
import { findInvitations } from '../../../access/auth/invitations-store.ts';
import type { Person } from '../../../access/auth/person.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { mayMakeProjects } from '../projects/create.ts';
import { Account } from './schema.ts';

/** GET /console/api/account/: the signed-in person, and their projects. */
export const readAccount = actionFor<Person>()({
  response: Account,
  handle: async ({ context, principal, request, reply }) => ({
    email: principal.email,
    invitations: await findInvitations(context.sql, principal.userId),
    may_make_projects: mayMakeProjects(context.config, principal),
    projects: principal.projects.map(({ id, title, role, operatorId, name }) => ({
      uuid: id,
      title,
      role,
      operator: { uuid: operatorId, name },
    })),
    form_token: openForm(request, reply),
    public_url: context.config.publicUrl,
  }),
});
