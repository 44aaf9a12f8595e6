import type { Words } from '../texts.ts';

export const overview: Words['overview'] = {
  title: 'Ringkasan',
  firstSteps: 'Langkah pertama',
  stepsDone: '{done, number} dari {all, number} selesai',
  steps: {
    add: 'Tambah nomor',
    pair: 'Pasangkan dengan telepon',
    send: 'Kirim pesan uji coba',
    read: 'Lihat pesannya dibaca',
    key: 'Buat kunci API untuk program Anda',
    webhook: 'Tambah webhook untuk yang terjadi',
  },
  attention: 'Yang membutuhkan Anda',
  acknowledge: 'Saya tahu',
  moreAlerts: '{count, plural, other {Dan # lagi}}',
  alerts: {
    device_disconnected: 'sudah beberapa lama terputus. Pesannya menunggu; sambungkan.',
    device_recovered: 'sudah kembali.',
    device_banned: 'diblokir jaringan. Ajukan banding di telepon.',
    device_logged_out: 'dikeluarkan di telepon. Pasangkan lagi.',
    message_failures: 'gagal mengirim banyak pesannya. Lihat alasan yang gagal.',
    webhook_failing: 'Sebuah webhook terus gagal. Lihat jawaban penerimanya.',
    webhook_disabled:
      'Sebuah webhook terlalu sering gagal dan dimatikan. Perbaiki penerimanya, lalu aktifkan.',
    quota_warning: '80 % pesan bulan ini sudah dipakai.',
    quota_exceeded: 'Pesan bulan ini sudah habis, dan pengiriman ditolak.',
  },
  today: 'Hari ini',
  month: '30 hari terakhir',
  monthSummary: '{sent, number} terkirim, {received, number} diterima, {failed, number} gagal',
  quota: 'Pesan bulan ini',
  ofLimit: 'dari {limit, number}',
  noLimit: 'tanpa batas',
  resets: 'Dimulai lagi pada {date}.',
  all: '{count, plural, other {Semua # nomor}}',
};
