import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { namesAttribute, namesTag } from './rules.ts';
import { Named, Uses } from './schema.ts';
import { openMailings, presentScenarios } from './uses-store.ts';

const usesOf = (isNamed: (name: string, json: unknown) => boolean) =>
  actionFor<Member>()({
    query: Named,
    response: Uses,
    handle: async ({ context: { sql }, principal: { projectId }, query: { name } }) => {
      const [mailings, scenarios] = [
        await openMailings(sql, projectId),
        await presentScenarios(sql, projectId),
      ];
      const naming = (all: typeof mailings) =>
        all.filter(({ json }) => isNamed(name, json)).map((one) => one.name);
      return { mailings: naming(mailings), scenarios: naming(scenarios) };
    },
  });

/** GET /console/api/tags/uses/?name=… */
export const readTagUses = usesOf(namesTag);
/** GET /console/api/attributes/uses/?name=… */
export const readAttributeUses = usesOf(namesAttribute);
