import { z } from 'zod';
import { apiKeyField, nameField } from '#http/fields.ts';
import { QUOTA_UNITS, SCOPES, type Account, type ApiKey, type Plan } from '@jyutsing/contracts/accounts';

const name = nameField(200, 'For people.');

/** The bodies that name a plan; a plan that does not exist is refused with the names of all. */
export function accountBodies(planNames: string[]) {
  const plan = z.string().meta({ enum: planNames });
  const blocked = z.boolean().optional().describe('A blocked account gets 401.');
  return {
    create: z.object({ api_key: apiKeyField, name, plan }),
    update: z.object({ api_key: apiKeyField, plan: plan.optional(), blocked }),
  };
}

export const CreateKey = z
  .object({
    api_key: apiKeyField,
    name: name.optional(),
    scopes: z
      .array(z.string().meta({ enum: [...SCOPES] }))
      .min(1)
      .optional()
      .describe('Absent: every scope except `admin`.'),
  })
  .nullish();

export const IdParameter = z.object({ id: z.string() });

const AccountView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    plan: z.string(),
    blocked: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Account' });

export const KeyView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string().describe('The beginning of the key, to identify it.'),
    scopes: z.array(z.enum(SCOPES)),
    revoked: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ApiKey' });

const PlanView = z
  .object({
    name: z.string(),
    quotas: z.record(z.enum(QUOTA_UNITS), z.number().nullable().describe('For a month; null: unlimited.')),
    streaming_speech: z.boolean(),
  })
  .meta({ id: 'Plan' });

const success = z.literal(true);
export const PlansAnswer = z.object({ success, plans: z.array(PlanView) });
export const AccountAnswer = z.object({ success, account: AccountView });
export const AccountsAnswer = z.object({ success, accounts: z.array(AccountView) });
export const KeysAnswer = z.object({ success, keys: z.array(KeyView) });
export const NewKeyAnswer = z.object({
  success,
  api_key: z.string().describe('The key itself, shown only in this answer.'),
  key: KeyView,
});
export const SuccessAnswer = z.object({ success });

export function viewAccount({ id, name, plan, blocked, createdAtMs }: Account): z.output<typeof AccountView> {
  return { id, name, plan, blocked, created_at: new Date(createdAtMs).toISOString() };
}

export function viewKey({ id, name, prefix, scopes, revoked, createdAtMs }: ApiKey): z.output<typeof KeyView> {
  return { id, name, prefix, scopes, revoked, created_at: new Date(createdAtMs).toISOString() };
}

export function viewPlan({ name, quotas, streamingTts }: Plan): z.output<typeof PlanView> {
  return { name, quotas, streaming_speech: streamingTts };
}
