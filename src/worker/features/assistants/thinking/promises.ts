/**
 * Sentences by which an assistant says that it has done something, or that somebody will, in the languages of the dashboard.
 * It is a net with wide meshes below the instructions: what it finds is said only where a tool did something.
 */
const promises = [
  /\bI(?:'ve| have)(?: just| already| now)? (?:booked|cancell?ed|refunded|changed|updated|ordered|scheduled|forwarded|reserved|processed|sent|notified|escalated|passed)\b/i,
  /\b(?:your|the) (?:booking|order|appointment|refund|reservation) (?:has been|is now|was just) (?:booked|cancell?ed|confirmed|refunded|changed|processed|placed|made|issued)\b/i,
  /\b(?:a colleague|someone|somebody|our team|an agent|a human)(?: from our team)? will (?:contact|call|reach out|get back|be in touch|reply|write)\b/i,
  /\bI(?:'ll| will) (?:book|cancel|refund|call you|forward|transfer you|connect you|escalate|notify)\b/i,
  /\b(?:he|hemos) (?:reservado|cancelado|reembolsado|cambiado|actualizado|reenviado|programado|enviado|notificado)\b/i,
  /\b(?:un compañero|un agente|alguien|nuestro equipo) (?:te|le|se) (?:contactará|llamará|escribirá|pondrá)\b/i,
  /\b(?:já|acabei de) (?:reservei|cancelei|reembolsei|alterei|atualizei|encaminhei|agendei|enviei|reservar|cancelar|reembolsar)\b/i,
  /\b(?:um colega|um atendente|alguém|nossa equipe) (?:vai|irá|entrará) (?:entrar|ligar|contatar|responder|em contato)\b/i,
  /\bsaya (?:sudah|telah) (?:memesan|membatalkan|mengembalikan|mengubah|memperbarui|meneruskan|menjadwalkan|mengirim)\b/i,
  /\b(?:tim kami|rekan kami|seseorang|petugas kami) akan (?:menghubungi|menelepon|membalas)\b/i,
];

/** Whether a text says that something was done, or will be. */
export const promisesSomething = (text: string): boolean => promises.some((promise) => promise.test(text));
