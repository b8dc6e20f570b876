import { z } from 'zod';

export const WebhookSecretAnswer = z
  .object({
    success: z.literal(true),
    secret: z.string().describe('`whsec_` and base64: what the libraries of Standard Webhooks take as it is.'),
  })
  .meta({ id: 'WebhookSecret' });
