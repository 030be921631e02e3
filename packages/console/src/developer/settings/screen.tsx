import { session } from '../../api/session.ts';
import { Code } from '../../ui/code-box.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Configuration } from './configuration.tsx';
import { Tokens } from './tokens.tsx';
import { WebhookKeys } from './webhook-keys.tsx';

/** Answers: how is my platform set up, who may call it, and how are its webhooks signed? */
export default function Settings() {
  const { platform, tokenName, permissions, expiresAt, baseUrl } = session.value ?? {};
  const may = permissions?.map((name) => name.toLowerCase()).join(', ');
  return (
    <Screen
      title="Settings"
      answer={
        <>
          You are signed in with the token{' '}
          <strong>
            <Text>{tokenName}</Text>
          </strong>
          , which may {may}.
        </>
      }
    >
      <Section title="This platform" isCard>
        <Facts
          facts={{
            Name: <Text>{platform?.name}</Text>,
            Environment: platform && sayName(platform.environment),
            'Session ends': <Time at={expiresAt} clock="real" />,
          }}
        />
        <Code text={baseUrl ?? ''} label="base URL of the API" />
      </Section>
      <Configuration />
      <Tokens />
      <WebhookKeys />
    </Screen>
  );
}
