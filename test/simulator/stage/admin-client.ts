export type Answer = { status: number; body: Record<string, unknown> };
export type Arrival = { id: string; from: string; to: string; text: string; count: number; at: string };

/** One call of the simulator's admin API; a text goes out as it is, anything else as JSON. */
export async function admin(
  adminUrl: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${adminUrl}/admin/${path}`, {
    method,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** As `admin`, for calls that must succeed. */
export async function adminOk(...call: Parameters<typeof admin>): Promise<Record<string, unknown>> {
  const { status, body } = await admin(...call);
  if (status >= 300) throw new Error(`${call[1]} ${call[2]} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export async function scanQr(adminUrl: string, qr: string, phone?: string): Promise<string> {
  const query = phone ? `?phone=${phone}` : '';
  const body = await adminOk(adminUrl, 'POST', `mock-phone/scan-qr${query}`, qr);
  return String(body.phoneNumber);
}

export async function arrivals(adminUrl: string, to?: string): Promise<Arrival[]> {
  const body = await adminOk(adminUrl, 'GET', `messages${to ? `?to=${to}` : ''}`);
  return body.data as Arrival[];
}
