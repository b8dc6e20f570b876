import { z } from 'zod';

export const WebhookSecretAnswer = z
  .object({
    success: z.literal(true),
    secret: z.string().describe('`whsec_` and base64, the form that Standard Webhooks libraries take.'),
  })
  .meta({ id: 'WebhookSecret' });
