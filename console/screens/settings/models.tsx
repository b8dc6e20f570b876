import type { Model } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { client } from '#console/core/session.ts';
import { formatNumber, text } from '#console/core/text.ts';
import { ModelBanner } from '#console/ui/model-banner.tsx';
import { Progress, Shown } from '#console/ui/parts.tsx';
import { PullModels } from './pull-models.tsx';

/** The models that run here and how good they say they are; the first of a language is used. */
export function Models() {
  const { settings, languages } = text();
  const models = useLoaded((signal) => client().models.list({ signal }));
  return (
    <div class="stack">
      <ModelBanner />
      <Shown of={models}>
        {(all) => (
          <ul class="models">
            {all
              .filter(({ alias_of: alias }) => alias === undefined)
              .map((model) => (
                <li key={`${model.ability} ${model.id}`}>
                  <span class="muted small-text">{settings.abilities[model.ability]}</span>
                  <strong title={model.version}>{modelName(model.id)}</strong>
                  {qualitiesOf(model).map(([language, value]) => (
                    <span key={language} class="quality small-text">
                      {languages[language] ?? language}
                      <Progress
                        label={settings.qualityOf(model.id, languages[language] ?? language)}
                        fraction={value / 100}
                      />
                      <span class="tabular">{formatNumber(value)}</span>
                    </span>
                  ))}
                </li>
              ))}
          </ul>
        )}
      </Shown>
      <PullModels onInstalled={models.reload} />
      <p class="muted small-text">
        {settings.qualityHint} {settings.pullHint} <code>npm run models</code>
      </p>
    </div>
  );
}

/** Names a model in the language of the page if it ships with the service. */
const modelName = (id: string) => text().settings.modelNames[id] ?? id;

function qualitiesOf({ quality = {} }: Model): [string, number][] {
  return Object.entries(quality).flatMap(([language, value]) => (value === undefined ? [] : [[language, value]]));
}
