export const snippetLanguages = ['curl', 'JavaScript', 'Python', 'PHP'] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

/** A number of the simulator's range, which is nobody's on the real network. */
const to = '15550000002';
const text = 'Hello from Heliograph';

/** A first message, in a form that runs as it stands. */
export const sendSnippet: Record<SnippetLanguage, (baseUrl: string, key: string) => string> = {
  curl: (baseUrl, key) => `curl -X POST ${baseUrl}/v1/messages/send \\
  -H 'X-API-Key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"to":"${to}","text":"${text}"}'`,
  JavaScript: (baseUrl, key) => `const answer = await fetch('${baseUrl}/v1/messages/send', {
  method: 'POST',
  headers: {
    'X-API-Key': '${key}',
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify({ to: '${to}', text: '${text}' }),
});
console.log(await answer.json());`,
  Python: (baseUrl, key) => `import requests, uuid

answer = requests.post(
    "${baseUrl}/v1/messages/send",
    headers={
        "X-API-Key": "${key}",
        "Idempotency-Key": str(uuid.uuid4()),
    },
    json={"to": "${to}", "text": "${text}"},
    timeout=30,
)
print(answer.json())`,
  PHP: (baseUrl, key) => `<?php
$request = curl_init('${baseUrl}/v1/messages/send');
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'X-API-Key: ${key}',
        'Content-Type: application/json',
        'Idempotency-Key: ' . bin2hex(random_bytes(16)),
    ],
    CURLOPT_POSTFIELDS => json_encode(['to' => '${to}', 'text' => '${text}']),
]);
echo curl_exec($request);`,
};
