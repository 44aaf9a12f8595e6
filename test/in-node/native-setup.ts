// Registers them once, however many files a worker runs.
import './imports.js';
